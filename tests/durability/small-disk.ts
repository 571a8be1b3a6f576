import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory, which a test can fill to the last byte. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Mounts a disk of `megabytes` inside `parent`. Only root may mount; `.ci/run` runs the tests as root. */
  static mount(megabytes: number, parent: string = tmpdir()): SmallDisk {
    const path = mkdtempSync(join(parent, 'disk-'));
    chmodSync(path, 0o755);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'yardarm-test', path], {
        stdio: 'pipe',
      });
    } catch (cause) {
      rmdirSync(path);
      throw new Error('A small disk cannot be mounted here; run the durability suite as root', { cause });
    }
    return new SmallDisk(path);
  }

  /** Fills the disk completely. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (let size = 1 << 20; size >= 1; ) {
        try {
          if (writeSync(file, Buffer.alloc(size)) === size) continue;
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        }
        size >>= 1;
      }
    } finally {
      closeSync(file);
    }
  }

  /** Frees the space that {@link fill} has used. */
  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  unmount(): void {
    // Lazy, because a database that still has files open on the disk is only stopped after this.
    execFileSync('umount', ['--lazy', this.path], { stdio: 'pipe' });
    rmdirSync(this.path);
  }

  get #ballast(): string {
    return join(this.path, 'ballast');
  }
}
