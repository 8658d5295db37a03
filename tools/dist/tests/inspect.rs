//! Programs made by hand, byte by byte, with one thing wrong in each.

use dist::inspect::{Platform, check, check_no_folder_in};
use std::path::PathBuf;

/// What a made-up program for Windows says of itself.
#[derive(Clone)]
struct Windows {
    machine: u16,
    stamp: u32,
    subsystem: u16,
    version: (u16, u16),
    library: &'static str,
}

const GOOD: Windows = Windows {
    machine: 0x8664,
    stamp: 0,
    subsystem: 3,
    version: (6, 1),
    library: "KERNEL32.dll",
};

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

impl Windows {
    /// The file: headers at 0, one section at 0x400 that is loaded at 0x1000
    /// and holds the import table.
    fn bytes(&self) -> Vec<u8> {
        let is_64_bit = self.machine == 0x8664;
        let (magic, optional_size): (u16, u16) = if is_64_bit {
            (0x20b, 240)
        } else {
            (0x10b, 224)
        };
        let mut bytes = vec![0; 0x600];
        put(&mut bytes, 0, b"MZ");
        put(&mut bytes, 0x3c, &0x40_u32.to_le_bytes());
        put(&mut bytes, 0x40, b"PE\0\0");
        put(&mut bytes, 0x44, &self.machine.to_le_bytes());
        put(&mut bytes, 0x46, &1_u16.to_le_bytes());
        put(&mut bytes, 0x48, &self.stamp.to_le_bytes());
        put(&mut bytes, 0x54, &optional_size.to_le_bytes());
        let optional = 0x58;
        put(&mut bytes, optional, &magic.to_le_bytes());
        for at in [40, 48] {
            put(&mut bytes, optional + at, &self.version.0.to_le_bytes());
            put(&mut bytes, optional + at + 2, &self.version.1.to_le_bytes());
        }
        put(&mut bytes, optional + 68, &self.subsystem.to_le_bytes());
        let directories = optional + usize::from(optional_size) - 16 * 8;
        put(&mut bytes, directories - 4, &16_u32.to_le_bytes());
        put(&mut bytes, directories + 8, &0x1000_u32.to_le_bytes());
        put(&mut bytes, directories + 12, &40_u32.to_le_bytes());
        let section = optional + usize::from(optional_size);
        put(&mut bytes, section, b".idata\0\0");
        for (at, value) in [(8, 0x200), (12, 0x1000), (16, 0x200), (20, 0x400_u32)] {
            put(&mut bytes, section + at, &value.to_le_bytes());
        }
        // One library, of which one function is taken by its number.
        let by_number = if is_64_bit {
            1 << 63 | 1
        } else {
            1 << 31 | 1_u64
        };
        put(&mut bytes, 0x400, &0x1080_u32.to_le_bytes());
        put(&mut bytes, 0x40c, &0x1040_u32.to_le_bytes());
        put(&mut bytes, 0x410, &0x1080_u32.to_le_bytes());
        put(&mut bytes, 0x440, self.library.as_bytes());
        put(&mut bytes, 0x480, &by_number.to_le_bytes());
        bytes
    }

    fn complaint(&self, platform: Platform) -> String {
        format!("{:#}", check(&self.bytes(), platform).unwrap_err())
    }
}

#[test]
fn good_programs_for_windows_pass() {
    check(&GOOD.bytes(), Platform::Windows64).unwrap();
    let older = Windows {
        version: (4, 0),
        library: "msvcrt.dll",
        ..GOOD
    };
    check(&older.bytes(), Platform::Windows64).unwrap();
    let for_32_bits = Windows {
        machine: 0x14c,
        ..GOOD
    };
    check(&for_32_bits.bytes(), Platform::Windows32).unwrap();
}

#[test]
fn every_fault_is_found() {
    let faults = [
        (
            "libgcc_s_seh-1.dll",
            Windows {
                library: "libgcc_s_seh-1.dll",
                ..GOOD
            },
        ),
        (
            "api-ms-win-core-synch-l1-2-0.dll",
            Windows {
                library: "api-ms-win-core-synch-l1-2-0.dll",
                ..GOOD
            },
        ),
        (
            "version (10, 0)",
            Windows {
                version: (10, 0),
                ..GOOD
            },
        ),
        (
            "console",
            Windows {
                subsystem: 2,
                ..GOOD
            },
        ),
        (
            "time",
            Windows {
                stamp: 1_700_000_000,
                ..GOOD
            },
        ),
        (
            "not for X86_64",
            Windows {
                machine: 0xaa64,
                ..GOOD
            },
        ),
    ];
    for (word, program) in faults {
        // Programs for 64-bit ARM have the headers of those for x86-64.
        let mut bytes = program.bytes();
        if program.machine == 0xaa64 {
            bytes = GOOD.bytes();
            put(&mut bytes, 0x44, &program.machine.to_le_bytes());
        }
        let said = format!("{:#}", check(&bytes, Platform::Windows64).unwrap_err());
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(GOOD.complaint(Platform::Windows32).contains("32-bit"));
    assert!(GOOD.complaint(Platform::Linux).contains("Linux"));
}

/// A program for Linux of one segment.
fn linux(machine: u16, segment: u32) -> Vec<u8> {
    let mut bytes = vec![0; 0x200];
    put(&mut bytes, 0, b"\x7fELF\x02\x01\x01");
    put(&mut bytes, 16, &2_u16.to_le_bytes());
    put(&mut bytes, 18, &machine.to_le_bytes());
    put(&mut bytes, 20, &1_u32.to_le_bytes());
    put(&mut bytes, 32, &64_u64.to_le_bytes());
    for (at, value) in [(52, 64_u16), (54, 56), (56, 1), (58, 64)] {
        put(&mut bytes, at, &value.to_le_bytes());
    }
    put(&mut bytes, 64, &segment.to_le_bytes());
    bytes
}

#[test]
fn programs_for_linux_must_be_static() {
    const X86_64: u16 = 62;
    const ARM_64: u16 = 183;
    const LOAD: u32 = 1;
    const INTERPRETER: u32 = 3;
    check(&linux(X86_64, LOAD), Platform::Linux).unwrap();
    let said = |bytes: &[u8]| format!("{:#}", check(bytes, Platform::Linux).unwrap_err());
    assert!(said(&linux(X86_64, INTERPRETER)).contains("static"));
    assert!(said(&linux(ARM_64, LOAD)).contains("not for x86-64"));
}

#[test]
fn programs_do_not_tell_where_they_were_made() {
    let folders = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
    let program = b"\0mid > len/home/me/src/board.rs\0yonsan/src/io.rs\0";
    let complaint = check_no_folder_in(program, &folders(&["/other/place", "/home/me"]));
    let complaint = complaint.unwrap_err().to_string();
    assert!(complaint.contains("/home/me"), "{complaint}");
    // "/src" is in it too, but may come from anywhere.
    check_no_folder_in(program, &folders(&["/home/you", "/src", "/"])).unwrap();
}
