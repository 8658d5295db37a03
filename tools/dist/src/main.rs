//! The command `dist`: builds and packs everything. See `README.md` beside it
//! for what must be installed.

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use dist::build::{Builder, PROGRAMS, Program};
use dist::inspect::Platform;
use dist::package::{self, Package};
use dist::release::Release;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the engine for Windows and Linux and packs it.
#[derive(Parser, Debug)]
struct Arguments {
    /// Folder with the cargo and rustc to use; what they are decides the bytes
    #[arg(long, value_name = "FOLDER", default_value = "/usr/bin")]
    toolchain: PathBuf,
    /// Where the packages go; target/dist if not given
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Where cargo builds; keeping it makes the next run shorter
    #[arg(long, value_name = "FOLDER")]
    target_dir: Option<PathBuf>,
    /// More arguments for cargo build, for trials
    #[arg(last = true)]
    cargo: Vec<OsString>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .context("the tool does not lie in the repository")?;
    let release = Release::of_commit(repository)?;
    let output = arguments
        .output
        .unwrap_or_else(|| repository.join("target/dist"));
    let builder = Builder {
        repository: repository.to_owned(),
        toolchain: arguments.toolchain,
        target_folder: arguments.target_dir.unwrap_or_else(|| output.join("build")),
        extra: arguments.cargo,
    };
    let packages = make(&builder, &release)?;
    ensure!(
        Release::of_commit(repository)? == release,
        "another commit was checked out while building"
    );
    fs::create_dir_all(&output).with_context(|| output.display().to_string())?;
    for package in &packages {
        write(&output.join(&package.name), &package.bytes)?;
    }
    let checksums = package::checksums(&packages);
    write(&output.join("SHA256SUMS"), checksums.as_bytes())?;
    print!("{checksums}");
    Ok(())
}

/// Builds every program and packs them.
fn make(builder: &Builder, release: &Release) -> Result<Vec<Package>> {
    let built = |platform| {
        let is_it = |program: &&Program| program.platform == platform;
        let program = PROGRAMS.iter().find(is_it).context("an unknown platform")?;
        println!("Building {} for {}", program.name, program.target);
        builder.build(program)
    };
    let libraries = builder.libraries()?;
    let windows_32 = built(Platform::Windows32)?;
    let windows_64 = built(Platform::Windows64)?;
    let linux = built(Platform::Linux)?;
    Ok(vec![
        package::windows(release, &libraries, windows_32, windows_64)?,
        package::linux(release, &libraries, linux)?,
    ])
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| path.display().to_string())
}
