//! Runs cargo, once for each platform, so that the same sources and tools give
//! the same bytes.

use crate::inspect::{self, Platform};
use crate::names;
use anyhow::{Context as _, Result, ensure};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A program to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// For what.
    pub platform: Platform,
    /// Rust's name of the platform.
    pub target: &'static str,
    /// Name of the file for users.
    pub name: &'static str,
    /// Whether no standard library comes with the compiler: then it is built
    /// from its source.
    builds_std: bool,
    /// What the compiler must be told besides.
    flags: &'static [&'static str],
}

/// Two processes that link at different times must write the same.
const NO_TIME_STAMP: &str = "-Clink-arg=-Wl,--no-insert-timestamp";

/// All programs. Those for Windows are of the kind for Windows 7: the usual one
/// needs a library that Windows 7 and older versions of Wine do not have.
pub const PROGRAMS: [Program; 3] = [
    Program {
        platform: Platform::Windows64,
        target: "x86_64-win7-windows-gnu",
        name: names::WINDOWS_64,
        builds_std: true,
        flags: &[NO_TIME_STAMP],
    },
    Program {
        platform: Platform::Windows32,
        target: "i686-win7-windows-gnu",
        name: names::WINDOWS_32,
        builds_std: true,
        flags: &[NO_TIME_STAMP],
    },
    Program {
        platform: Platform::Linux,
        target: "x86_64-unknown-linux-gnu",
        name: names::LINUX,
        builds_std: false,
        flags: &["-Ctarget-feature=+crt-static"],
    },
];

/// Where to build, and with what.
#[derive(Clone, Debug)]
pub struct Builder {
    /// Folder of the repository.
    pub repository: PathBuf,
    /// Folder that holds `cargo` and `rustc`.
    pub toolchain: PathBuf,
    /// Folder for what cargo makes.
    pub target_folder: PathBuf,
    /// More arguments for cargo's `build`.
    pub extra: Vec<OsString>,
}

impl Builder {
    /// Builds a program, checks it and returns its bytes.
    ///
    /// # Errors
    ///
    /// If cargo fails or the program is not as it should be.
    pub fn build(&self, program: &Program) -> Result<Vec<u8>> {
        let mut cargo = self.cargo()?;
        cargo
            .arg("build")
            .args(["--release", "--locked", "--package", "yonsan"])
            .args(["--bin", "pbrain-yonsan", "--target", program.target])
            .args(["--config", "profile.release.strip='symbols'"])
            .arg("--target-dir")
            .arg(&self.target_folder)
            .env("CARGO_ENCODED_RUSTFLAGS", self.flags(program)?);
        if program.builds_std {
            // Only nightly compilers take this option unasked.
            cargo.env("RUSTC_BOOTSTRAP", "1");
            cargo.arg("-Zbuild-std=std,panic_abort");
        }
        cargo.args(&self.extra);
        let status = cargo.status().context("cannot start cargo")?;
        ensure!(status.success(), "building {} failed", program.target);
        let file = if program.platform == Platform::Linux {
            names::LINUX
        } else {
            names::WINDOWS_32
        };
        let path = self
            .target_folder
            .join(program.target)
            .join("release")
            .join(file);
        let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
        inspect::check(&bytes, program.platform)
            .and_then(|()| inspect::check_no_folder_in(&bytes, &self.own_folders()?))
            .with_context(|| program.name.to_owned())?;
        Ok(bytes)
    }

    /// Names, versions and licences of the libraries that are in the programs.
    ///
    /// # Errors
    ///
    /// If cargo cannot tell.
    pub fn libraries(&self) -> Result<BTreeSet<String>> {
        let output = self
            .cargo()?
            .args(["tree", "--locked", "--package", "yonsan", "--target", "all"])
            .args(["--edges", "normal,no-proc-macro", "--prefix", "none"])
            .args(["--format", "{p}, {l}"])
            .output()
            .context("cannot start cargo")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "cargo tree: {said}");
        let lines = String::from_utf8(output.stdout)?;
        Ok(lines
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with("yonsan "))
            .map(str::to_owned)
            .collect())
    }

    /// Cargo of the toolchain, without what the environment would have it do.
    fn cargo(&self) -> Result<Command> {
        let cargo = self.toolchain.join("cargo");
        ensure!(cargo.exists(), "there is no {}", cargo.display());
        let mut command = Command::new(cargo);
        for (name, _) in std::env::vars_os() {
            if is_meddling(&name.to_string_lossy()) {
                command.env_remove(name);
            }
        }
        command
            .env("RUSTC", self.toolchain.join("rustc"))
            .current_dir(&self.repository);
        Ok(command)
    }

    /// The flags for the compiler, in cargo's way of writing a list.
    fn flags(&self, program: &Program) -> Result<OsString> {
        const SEPARATOR: &str = "\u{1f}";
        let mut flags: Vec<OsString> = program.flags.iter().map(OsString::from).collect();
        for (folder, name) in self.renamed_folders()? {
            let mut flag = OsString::from("--remap-path-prefix=");
            flag.push(folder);
            flag.push("=");
            flag.push(name);
            flags.push(flag);
        }
        Ok(flags.join(SEPARATOR.as_ref()))
    }

    /// Folders of sources, and what they are called in the programs: messages
    /// name source files, the same ones wherever they lie. Of two that fit the
    /// compiler takes the later.
    fn renamed_folders(&self) -> Result<Vec<(PathBuf, &'static str)>> {
        let cargo_home = cargo_home()?;
        let registries = cargo_home.join("registry/src");
        let mut folders = vec![
            (self.repository.clone(), "yonsan"),
            (cargo_home, "cargo"),
            (self.system_root()?.join("lib/rustlib/src/rust"), "rust"),
        ];
        // The name of a registry's folder tells from where it was loaded.
        if let Ok(entries) = std::fs::read_dir(&registries) {
            for entry in entries {
                folders.push((entry?.path(), "cargo"));
            }
        }
        Ok(folders)
    }

    /// Folders that differ from machine to machine.
    fn own_folders(&self) -> Result<[PathBuf; 3]> {
        Ok([
            self.repository.clone(),
            self.target_folder.clone(),
            cargo_home()?,
        ])
    }

    /// Where the compiler has its libraries and their sources.
    fn system_root(&self) -> Result<PathBuf> {
        let output = Command::new(self.toolchain.join("rustc"))
            .args(["--print", "sysroot"])
            .output()
            .context("cannot start rustc")?;
        ensure!(output.status.success(), "rustc does not tell its sysroot");
        let root = String::from_utf8(output.stdout)?;
        Ok(PathBuf::from(root.trim_end()))
    }
}

/// Whether an environment variable may change what cargo builds.
fn is_meddling(name: &str) -> bool {
    let is_ours = ["CARGO_HOME", "CARGO_NET_OFFLINE"].contains(&name);
    !is_ours
        && ["CARGO", "RUST", "DEP_"]
            .iter()
            .any(|start| name.starts_with(start))
}

/// Where cargo keeps the sources of libraries.
fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        return Ok(home.into());
    }
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    Ok(PathBuf::from(home).join(".cargo"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_does_not_meddle() {
        for name in ["RUSTFLAGS", "CARGO_PROFILE_RELEASE_LTO", "RUSTUP_TOOLCHAIN"] {
            assert!(is_meddling(name), "{name}");
        }
        for name in ["CARGO_HOME", "PATH", "HOME"] {
            assert!(!is_meddling(name), "{name}");
        }
    }

    #[test]
    fn every_program_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        assert_eq!(names.len(), PROGRAMS.len());
    }
}
