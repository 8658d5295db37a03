//! Books in files.
//!
//! A file is written beside its place and then put there in one step, so that
//! there is never half a book. What bears the name already is read first: a
//! whole book is added to, anything else is left as it is.

use super::Book;
use super::format::{BookError, decode, encode};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Larger files are not even read, in bytes: more than a million positions.
const MOST_BYTES: u64 = 64 << 20;
/// Names that are tried for the file beside.
const MOST_NAMES: u32 = 100;

/// The book in a file.
///
/// # Errors
///
/// If there is none, or it is not whole and of a version that is known.
pub fn read(path: &Path) -> Result<Book, BookError> {
    // A pipe would never end; a folder gives errors that nobody understands.
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(BookError::NoFile);
    }
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(BookError::TooLarge);
    }
    decode(&bytes)
}

/// Writes a book to a file. If there is a book, what it knows is added to this
/// one first, so nothing is lost.
///
/// # Errors
///
/// If the file cannot be written, or what bears the name is anything but a
/// whole book of a version that is known. It is as it was then.
pub fn save(book: &mut Book, path: &Path) -> Result<(), BookError> {
    match read(path) {
        Ok(old) => {
            book.merge(&old);
        }
        Err(error) if error.is_absence() => {}
        Err(error) => return Err(error),
    }
    let bytes = encode(book);
    if bytes.len() as u64 > MOST_BYTES {
        return Err(BookError::TooLarge);
    }
    let mut draft = Draft::beside(path)?;
    draft.file.write_all(&bytes)?;
    draft.put_in_place(path)
}

/// A file beside the one that it is to become; gone if it does not.
struct Draft {
    file: File,
    path: PathBuf,
    is_in_place: bool,
}

impl Draft {
    fn beside(path: &Path) -> Result<Self, BookError> {
        let name = path.file_name().ok_or(BookError::NoFile)?;
        // What a process left that was killed may bear the first name.
        let mut number = 0;
        loop {
            let mut beside = name.to_owned();
            beside.push(format!(".{}-{number}.part", std::process::id()));
            let beside = path.with_file_name(beside);
            match File::create_new(&beside) {
                Ok(file) => {
                    return Ok(Self {
                        file,
                        path: beside,
                        is_in_place: false,
                    });
                }
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists && number < MOST_NAMES =>
                {
                    number += 1;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn put_in_place(mut self, path: &Path) -> Result<(), BookError> {
        self.file.sync_all()?;
        fs::rename(&self.path, path)?;
        self.is_in_place = true;
        sync_folder(path);
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_in_place {
            // What could not be written whole is of no use; that it cannot be
            // removed either is not the worse news.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Makes the new name last. Not every system can, and the book is whole
/// without it: then it may be the old one after a power cut.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::tests::sample;

    /// An empty folder for one test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("yonsan-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn books_are_added_to() {
        let folder = folder("added");
        let path = folder.join("a.book");
        assert!(read(&path).unwrap_err().is_absence());
        let mut first = sample(0..5);
        save(&mut first, &path).unwrap();
        assert_eq!(read(&path).unwrap(), sample(0..5));
        let mut second = sample(3..9);
        save(&mut second, &path).unwrap();
        assert_eq!(second, sample(0..9));
        assert_eq!(read(&path).unwrap(), second);
        assert_eq!(names(&folder), ["a.book"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_no_whole_book_is_left_alone() {
        let folder = folder("alone");
        let path = folder.join("a.book");
        let good = encode(&sample(0..5));
        let mut newer = good.clone();
        newer[8] += 1;
        for bad in [&b""[..], b"notes", &good[..good.len() - 1], &newer] {
            fs::write(&path, bad).unwrap();
            let error = save(&mut sample(0..2), &path).unwrap_err();
            assert!(!matches!(error, BookError::Io(_)), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bad, "{error}");
        }
        assert!(matches!(read(&folder), Err(BookError::NoFile)));
        assert!(save(&mut sample(0..2), &folder).is_err());
        assert_eq!(names(&folder), ["a.book"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn whoever_dies_while_writing_leaves_the_old_book() {
        let folder = folder("dies");
        let path = folder.join("a.book");
        let mut old = sample(0..5);
        save(&mut old, &path).unwrap();
        // Killed in the middle: nothing is cleaned up.
        let bytes = encode(&sample(0..9));
        let mut draft = Draft::beside(&path).unwrap();
        draft.file.write_all(&bytes[..bytes.len() / 2]).unwrap();
        std::mem::forget(draft);
        assert_eq!(read(&path).unwrap(), old);
        assert_eq!(names(&folder).len(), 2);
        // The next one is not in the way of what was left.
        save(&mut sample(5..9), &path).unwrap();
        assert_eq!(read(&path).unwrap(), sample(0..9));
        // An error in the middle leaves nothing behind.
        let before = names(&folder);
        let mut draft = Draft::beside(&path).unwrap();
        draft.file.write_all(&bytes[..20]).unwrap();
        drop(draft);
        assert_eq!(names(&folder), before);
        fs::remove_dir_all(folder).unwrap();
    }
}
