//! Where books to play with are looked for.

use super::Book;
use super::file::read;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// The name of a book that is found without being named.
pub const FILE_NAME: &str = "yonsan.book";

/// Which book to play with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// None.
    #[default]
    Nowhere,
    /// [`FILE_NAME`] beside the program, else in the folder that the manager
    /// has named for such files.
    Usual,
    /// This file.
    File(PathBuf),
}

/// Looks for a book, in every place once.
#[derive(Debug)]
pub struct Shelf {
    source: Source,
    /// Places not looked at yet.
    places: VecDeque<PathBuf>,
    /// The newest folder of the manager's.
    folder: Option<PathBuf>,
    has_book: bool,
}

impl Shelf {
    /// A shelf not looked at yet.
    #[must_use]
    pub fn new(source: Source) -> Self {
        let first = match &source {
            Source::Nowhere => None,
            Source::Usual => std::env::current_exe()
                .ok()
                .map(|program| program.with_file_name(FILE_NAME)),
            Source::File(path) => Some(path.clone()),
        };
        Self {
            source,
            places: first.into_iter().collect(),
            folder: None,
            has_book: false,
        }
    }

    /// Notes the folder that the manager has named.
    pub fn add_folder(&mut self, folder: &Path) {
        let is_news = self.folder.as_deref() != Some(folder);
        if self.source != Source::Usual || self.has_book || !is_news {
            return;
        }
        if let Some(old) = self.folder.replace(folder.to_owned()) {
            // Only the newest counts: a flood of them must not pile up.
            let old = old.join(FILE_NAME);
            self.places.retain(|place| *place != old);
        }
        self.places.push_back(folder.join(FILE_NAME));
    }

    /// The first book in the places that were not looked at yet. Of every file
    /// there that is not used, `complain` hears in words; that there is none
    /// where nobody has named one is no reason to complain.
    pub fn look(&mut self, mut complain: impl FnMut(String)) -> Option<Book> {
        while let Some(path) = self.places.pop_front() {
            match read(&path) {
                Ok(book) => {
                    self.has_book = true;
                    self.places.clear();
                    return Some(book);
                }
                Err(error) if error.is_absence() && self.source == Source::Usual => {}
                Err(error) => complain(format!("{}: {error}; not used", path.display())),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(shelf: &mut Shelf) -> Vec<String> {
        let mut complaints = Vec::new();
        assert!(shelf.look(|text| complaints.push(text)).is_none());
        complaints
    }

    #[test]
    fn every_place_is_looked_at_once() {
        let mut shelf = Shelf::new(Source::File("/nonexistent/a.book".into()));
        let texts = complaints(&mut shelf);
        assert_eq!(texts.len(), 1);
        assert!(texts[0].starts_with("/nonexistent/a.book: "), "{texts:?}");
        assert!(texts[0].ends_with("; not used"), "{texts:?}");
        assert!(complaints(&mut shelf).is_empty());
        // Only this file was asked for.
        shelf.add_folder(Path::new("/"));
        assert!(shelf.places.is_empty());
    }

    #[test]
    fn nothing_in_the_usual_places_is_no_matter() {
        let mut shelf = Shelf::new(Source::Usual);
        assert_eq!(shelf.places.len(), 1);
        shelf.add_folder(Path::new("/nonexistent"));
        shelf.add_folder(Path::new("/nonexistent"));
        assert_eq!(shelf.places.len(), 2);
        shelf.add_folder(Path::new("/nonexistent/newer"));
        assert_eq!(shelf.places.len(), 2);
        assert_eq!(shelf.places[1], Path::new("/nonexistent/newer/yonsan.book"));
        assert!(complaints(&mut shelf).is_empty());
        assert!(shelf.places.is_empty());
        let mut nowhere = Shelf::new(Source::Nowhere);
        nowhere.add_folder(Path::new("/"));
        assert!(nowhere.places.is_empty());
    }
}
