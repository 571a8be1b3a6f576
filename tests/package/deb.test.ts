import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { takeFirstSteps } from './first-steps.ts';
import { built, emptyFolder, startIn, stop } from './installed-program.ts';

const file = `yardarm_${manifest.version}_${execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()}.deb`;
/** A small Debian system in a folder. No systemd runs in it, as in a container. */
const system = emptyFolder();
/** No variable of this machine, and no folder but those of the system. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' };

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error('This test installs a package in a chroot. Run it as root.');
  const packages = '--include=libstdc++6,systemd-standalone-sysusers';
  execFileSync('mmdebstrap', ['--quiet', '--variant=essential', packages, 'bookworm', system], { stdio: 'inherit' });
  copyFileSync(built(file), join(system, 'tmp', file));
  // It fetches and unpacks packages.
}, 300_000);

function inSystem(...command: string[]): string {
  return execFileSync('/usr/sbin/chroot', [system, ...command], { encoding: 'utf8', env });
}

describe('the Debian package', () => {
  it('is installed, serves as a user of its own, and keeps the data when it is purged', async () => {
    inSystem('dpkg', '--install', `/tmp/${file}`);
    const settings = { ...env, YARDARM_DATA_DIR: '/var/lib/yardarm' };
    const command = ['--userspec=yardarm:yardarm', system, '/usr/bin/yardarm', 'start'];
    const serving = await startIn(system, { command: '/usr/sbin/chroot', env: settings }, command);
    await takeFirstSteps(serving);
    // As the guide to backups says, with runuser in place of sudo.
    const asUser = (...args: string[]) =>
      inSystem('runuser', '-u', 'yardarm', '--', 'yardarm', '--config', '/etc/yardarm/yardarm.env', ...args);
    expect(asUser('backup', '/var/lib/yardarm/all.backup')).toMatch(/^Wrote \d+ rows to/);
    expect(asUser('verify', '/var/lib/yardarm/all.backup')).toMatch(/can be restored: \d+ rows\.\n$/);
    expect(await stop(serving)).toBe(0);
    inSystem('dpkg', '--purge', 'yardarm');
    expect(readdirSync(join(system, 'var/lib/yardarm'))).toContain('yardarm.db');
    expect(['usr/bin/yardarm', 'etc/yardarm'].filter((path) => existsSync(join(system, path)))).toEqual([]);
  });

  it('lets only root and its user read the settings, and only its user the data', () => {
    inSystem('dpkg', '--install', `/tmp/${file}`);
    const modes = inSystem('stat', '--format=%U %G %a', '/etc/yardarm/yardarm.env', '/var/lib/yardarm');
    expect(modes).toBe('root yardarm 640\nyardarm yardarm 700\n');
    expect(inSystem('/usr/bin/yardarm', '--version')).toMatch(new RegExp(`^${manifest.version} \\(commit `));
  });
});
