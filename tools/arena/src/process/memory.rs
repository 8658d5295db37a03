//! Unshared memory of a process and its descendants, as the cup's judge
//! counts it.

use std::fs;

const BYTES_PER_KIB: u64 = 1024;

/// Bytes of memory that would be free if the process and its descendants
/// ended; `None` if the system does not tell (it does on Linux).
#[must_use]
pub fn unshared_memory(id: u32) -> Option<u64> {
    let own = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let others: u64 = children(id).into_iter().filter_map(unshared_memory).sum();
    Some(private_bytes(&own) + others)
}

/// Sum of the private lines of a `smaps_rollup` text.
fn private_bytes(text: &str) -> u64 {
    let mut kib = 0;
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        if let (Some("Private_Clean:" | "Private_Dirty:"), Some(count)) =
            (words.next(), words.next())
        {
            kib += count.parse::<u64>().unwrap_or(0);
        }
    }
    kib * BYTES_PER_KIB
}

/// Processes started by any thread of the process.
fn children(id: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{id}/task")) else {
        return Vec::new();
    };
    let lists = tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            let numbers: Vec<u32> = list
                .split_whitespace()
                .filter_map(|n| n.parse().ok())
                .collect();
            numbers
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_lines_are_summed() {
        let text = concat!(
            "00400000-7ffd000 ---p 00000000 00:00 0   [rollup]\n",
            "Rss:                2884 kB\n",
            "Shared_Clean:       2000 kB\n",
            "Private_Clean:        84 kB\n",
            "Private_Dirty:       800 kB\n",
        );
        assert_eq!(private_bytes(text), 884 * 1024);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn own_memory_grows_with_use() {
        const MIB: usize = 1 << 20;
        let id = std::process::id();
        let before = unshared_memory(id).unwrap();
        // The optimiser must not see that nobody needs the block.
        let block = std::hint::black_box(vec![1u8; 64 * MIB]);
        let after = unshared_memory(id).unwrap();
        assert!(after >= before + 60 * MIB as u64, "{before} {after}");
        assert_eq!(block[MIB], 1);
    }
}
