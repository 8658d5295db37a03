//! Looks at finished programs: for the right processor, old enough a system,
//! nothing needed that a user may lack, nothing in them of the clock.

use anyhow::{Context as _, Result, bail, ensure};
use object::read::elf::ElfFile64;
use object::read::pe::{ImageNtHeaders, PeFile, PeFile32, PeFile64};
use object::{Architecture, Endianness, LittleEndian, Object as _, elf, pe};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Libraries that are part of every Windows since 7, for programs that need
/// nothing else.
const SYSTEM_LIBRARIES: [&str; 9] = [
    "advapi32.dll",
    "bcryptprimitives.dll",
    "kernel32.dll",
    "msvcrt.dll",
    "ntdll.dll",
    "shell32.dll",
    "user32.dll",
    "userenv.dll",
    "ws2_32.dll",
];

/// Windows 7 calls itself 6.1.
const WINDOWS_7: (u16, u16) = (6, 1);

/// For what a program must be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Windows on 32-bit x86.
    Windows32,
    /// Windows on x86-64.
    Windows64,
    /// Linux on x86-64, whatever its libraries.
    Linux,
}

/// Checks a program.
///
/// # Errors
///
/// If it would not run on the platform, or not everywhere.
pub fn check(program: &[u8], platform: Platform) -> Result<()> {
    match platform {
        Platform::Windows32 => {
            let file = PeFile32::parse(program).context("no program for 32-bit Windows")?;
            check_windows(&file, Architecture::I386)
        }
        Platform::Windows64 => {
            let file = PeFile64::parse(program).context("no program for 64-bit Windows")?;
            check_windows(&file, Architecture::X86_64)
        }
        Platform::Linux => check_linux(program),
    }
}

/// Checks that a program does not tell in which of these folders it was made.
/// A folder right below the root is passed over: such a short name may stand
/// there by chance.
///
/// # Errors
///
/// If the name of one is in the program.
pub fn check_no_folder_in(program: &[u8], folders: &[PathBuf]) -> Result<()> {
    /// The root, a folder and another in it.
    const LEAST_PARTS: usize = 3;
    for folder in folders {
        let name = folder.as_os_str().as_encoded_bytes();
        let is_telling = folder.components().count() >= LEAST_PARTS;
        let is_there = || program.windows(name.len()).any(|part| part == name);
        if is_telling && is_there() {
            bail!("holds the name of the folder {}", folder.display());
        }
    }
    Ok(())
}

fn check_windows<Pe: ImageNtHeaders>(file: &PeFile<Pe>, wanted: Architecture) -> Result<()> {
    use object::read::pe::ImageOptionalHeader as _;
    let found = file.architecture();
    ensure!(found == wanted, "made for {found:?}, not for {wanted:?}");
    let header = file.nt_headers().optional_header();
    ensure!(
        header.subsystem() == pe::IMAGE_SUBSYSTEM_WINDOWS_CUI,
        "no console program"
    );
    for (what, version) in [
        (
            "system",
            (
                header.major_operating_system_version(),
                header.minor_operating_system_version(),
            ),
        ),
        (
            "subsystem",
            (
                header.major_subsystem_version(),
                header.minor_subsystem_version(),
            ),
        ),
    ] {
        ensure!(version <= WINDOWS_7, "asks for {what} version {version:?}");
    }
    let stamp = file
        .nt_headers()
        .file_header()
        .time_date_stamp
        .get(LittleEndian);
    ensure!(stamp == 0, "holds the time it was linked, {stamp}");
    let libraries = libraries(file)?;
    ensure!(!libraries.is_empty(), "uses nothing of Windows");
    let strange = libraries
        .iter()
        .find(|library| !SYSTEM_LIBRARIES.contains(&library.as_str()));
    if let Some(library) = strange {
        bail!("needs {library}, which is not everywhere");
    }
    Ok(())
}

/// Names of the libraries that a program wants loaded, in small letters.
fn libraries<Pe: ImageNtHeaders>(file: &PeFile<Pe>) -> Result<BTreeSet<String>> {
    let mut libraries = BTreeSet::new();
    let Some(table) = file.import_table()? else {
        return Ok(libraries);
    };
    let mut descriptors = table.descriptors()?;
    while let Some(descriptor) = descriptors.next()? {
        let name = table.name(descriptor.name.get(LittleEndian))?;
        libraries.insert(String::from_utf8_lossy(name).to_ascii_lowercase());
    }
    Ok(libraries)
}

fn check_linux(program: &[u8]) -> Result<()> {
    use object::read::elf::ProgramHeader as _;
    let file = ElfFile64::<Endianness>::parse(program).context("no 64-bit program for Linux")?;
    let found = file.architecture();
    ensure!(
        found == Architecture::X86_64,
        "made for {found:?}, not for x86-64"
    );
    let needs_loader = file
        .elf_program_headers()
        .iter()
        .any(|header| header.p_type(file.endian()) == elf::PT_INTERP);
    ensure!(!needs_loader, "not static: needs libraries of the system");
    Ok(())
}
