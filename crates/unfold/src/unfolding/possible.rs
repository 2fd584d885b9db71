//! Possible tokens, numbered as they are found, and found by some of their components.

use std::collections::HashMap;

/// A possible token.
pub(super) type TokenId = u32;

/// A list of tokens of a place, by its number among those of the place.
pub(super) type IndexId = usize;

/// All possible tokens found so far.
pub(super) struct Possible {
    /// By place and tuple.
    ids: HashMap<Box<[u32]>, TokenId>,
    /// Place and tuple of each, one after the other.
    words: Vec<u32>,
    /// Where those of each begin, and the end.
    starts: Vec<usize>,
    /// By place.
    indexes: Vec<Vec<Index>>,
    key: Vec<u32>,
}

/// Tokens of a place by some of their components.
struct Index {
    columns: Vec<usize>,
    lists: HashMap<Box<[u32]>, Vec<TokenId>>,
}

impl Possible {
    pub(super) fn new(places: usize) -> Self {
        Self {
            ids: HashMap::new(),
            words: Vec::new(),
            starts: vec![0],
            indexes: (0..places).map(|_| Vec::new()).collect(),
            key: Vec::new(),
        }
    }

    /// The index of a place by these columns; to be asked for before there are tokens.
    pub(super) fn index(&mut self, place: u32, columns: &[usize]) -> IndexId {
        let indexes = &mut self.indexes[place as usize];
        indexes.iter().position(|index| index.columns == columns).unwrap_or_else(|| {
            indexes.push(Index { columns: columns.to_vec(), lists: HashMap::new() });
            indexes.len() - 1
        })
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn place(&self, id: TokenId) -> u32 {
        self.words[self.starts[id as usize]]
    }

    pub(super) fn tuple(&self, id: TokenId) -> &[u32] {
        &self.words[self.starts[id as usize] + 1..self.starts[id as usize + 1]]
    }

    /// The number of a token, and whether it is new.
    pub(super) fn insert(&mut self, place: u32, tuple: &[u32]) -> (TokenId, bool) {
        if let Some(id) = self.find(place, tuple) {
            return (id, false);
        }
        let id = self.len() as TokenId;
        self.ids.insert(self.key.as_slice().into(), id);
        self.words.extend_from_slice(&self.key);
        self.starts.push(self.words.len());
        for index in &mut self.indexes[place as usize] {
            let key: Box<[u32]> = index.columns.iter().map(|column| tuple[*column]).collect();
            index.lists.entry(key).or_default().push(id);
        }
        (id, true)
    }

    /// The number of a token, if it is possible.
    pub(super) fn find(&mut self, place: u32, tuple: &[u32]) -> Option<TokenId> {
        self.key.clear();
        self.key.push(place);
        self.key.extend_from_slice(tuple);
        self.ids.get(self.key.as_slice()).copied()
    }

    /// The tokens of a place with these components, in the order they were found.
    pub(super) fn with(&self, place: u32, index: IndexId, key: &[u32]) -> &[TokenId] {
        self.indexes[place as usize][index].lists.get(key).map_or(&[], Vec::as_slice)
    }
}
