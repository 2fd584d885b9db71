//! How much is read before a document is refused.

use budget::Budget;

/// How much is read before a document is refused, so that no text, however hostile, costs more memory
/// or time than its caller is ready to spend.
///
/// What is read takes at most some thirty times the memory of its text; models in use take two to four.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The time and memory that reading may take, and who may end it.
    pub budget: Budget,
    /// The length of the text in bytes. Never more than 4 GiB.
    pub bytes: usize,
    /// How deep elements may be nested. Never more than [`Limits::DEEPEST`].
    pub depth: usize,
    /// The number of elements of one class, that is, an enumeration or a range.
    pub class: u64,
    /// The number of elements of a product. Large products are no absurdity: the pairs of a class of
    /// 100 000 are 10¹⁰, and nothing in the way of markings lists them.
    pub product: u64,
    /// The number of columns of a product when all products in it are taken apart. Eighty lines of
    /// products of products could otherwise ask for 2⁸⁰.
    pub columns: u64,
}

impl Limits {
    /// No elements nested deeper than this are read, whatever the limits say: documents are trees, and
    /// walking or dropping them takes stack.
    pub const DEEPEST: usize = 1000;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            budget: Budget::unlimited(),
            bytes: 256 << 20,
            depth: Limits::DEEPEST,
            class: 1 << 32,
            product: 1 << 48,
            columns: 256,
        }
    }
}
