//! The first bytes of a file.

use crate::error::FormatError;

/// Version of the format.
pub const VERSION: u16 = 1;
/// Bytes of a header.
pub const HEADER_LEN: usize = 32;

const MAGIC: [u8; 8] = [0x8f, b'Y', b'G', b'D', b'\r', b'\n', 0x1a, b'\n'];
const CRC32: u8 = 1;
const CHECKED_LEN: usize = 28;

/// Where the games of a file come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Seed of all games.
    pub seed: u64,
    /// A number that differs if the settings do.
    pub settings: u64,
}

impl Header {
    /// The header as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = CRC32;
        bytes[12..20].copy_from_slice(&self.seed.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.settings.to_le_bytes());
        let sum = crc32fast::hash(&bytes[..CHECKED_LEN]);
        bytes[CHECKED_LEN..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header.
    ///
    /// # Errors
    ///
    /// If the bytes are no header, one of another version, or damaged.
    pub fn from_bytes(bytes: &[u8; HEADER_LEN]) -> Result<Self, FormatError> {
        if bytes[..8] != MAGIC {
            return Err(FormatError::NotGames);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        if bytes[10] != CRC32 {
            return Err(FormatError::Scheme(bytes[10]));
        }
        let header = Self {
            seed: word(bytes, 12),
            settings: word(bytes, 20),
        };
        if header.to_bytes() == *bytes {
            Ok(header)
        } else {
            Err(FormatError::BadHeader)
        }
    }
}

fn word(bytes: &[u8; HEADER_LEN], from: usize) -> u64 {
    let word = bytes[from..from + 8].iter().rev();
    word.fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_damaged_byte_is_noticed() {
        let header = Header {
            seed: 0x0123_4567_89ab_cdef,
            settings: 42,
        };
        let bytes = header.to_bytes();
        assert_eq!(bytes[12], 0xef);
        assert_eq!(Header::from_bytes(&bytes).unwrap(), header);
        for i in 0..HEADER_LEN {
            let mut bad = bytes;
            bad[i] ^= 4;
            let error = Header::from_bytes(&bad).unwrap_err();
            let is_right = match i {
                0..8 => matches!(error, FormatError::NotGames),
                8..10 => matches!(error, FormatError::Version(_)),
                10 => matches!(error, FormatError::Scheme(5)),
                _ => matches!(error, FormatError::BadHeader),
            };
            assert!(is_right, "byte {i}: {error}");
        }
    }
}
