//! Tables of text.

/// Rows of cells, each column as wide as its widest cell, with two blanks between columns. The first columns
/// are flush left, as words are, and the others flush right, as numbers are; columns without text are left
/// out.
pub fn table<R: AsRef<[String]>>(rows: &[R], flush_left: usize) -> String {
    let columns = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let width = |column: usize| rows.iter().map(|row| row.as_ref()[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &R| {
        let cells = row.as_ref().iter().zip(&widths).enumerate();
        let cells = cells.filter(|(_, (_, width))| **width > 0).map(|(column, (cell, &width))| {
            if column < flush_left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}
