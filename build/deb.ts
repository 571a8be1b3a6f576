// Packs dist/yardarm-linux-* as a Debian package, with the systemd unit and the user that the unit runs as.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { root } from './bundle.ts';
import { executable, executableLicenses } from './executable.ts';

const { version, description } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
const staging = `${root}dist/deb`;

rmSync(staging, { recursive: true, force: true });
put('usr/bin/yardarm', executable, 0o755);
put('usr/lib/systemd/system/yardarm.service', `${root}deploy/systemd/yardarm.service`);
put('usr/lib/sysusers.d/yardarm.conf', `${root}deploy/systemd/sysusers.conf`);
put('etc/yardarm/yardarm.env', `${root}deploy/systemd/yardarm.env`, 0o640);
put('usr/share/doc/yardarm/copyright', `${root}NOTICE`);
put('usr/share/doc/yardarm/third-party-licenses.txt', executableLicenses);
for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, `${root}deploy/debian/${script}`, 0o755);
write('DEBIAN/conffiles', '/etc/yardarm/yardarm.env\n');
write('DEBIAN/control', control());
const target = `${root}dist/yardarm_${version}_${architecture}.deb`;
execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', staging, target], { stdio: 'inherit' });
rmSync(staging, { recursive: true });

function control(): string {
  return [
    'Package: yardarm',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: The Yardarm authors',
    `Installed-Size: ${Math.ceil(statSync(executable).size / 1024)}`,
    'Depends: libc6 (>= 2.28), libstdc++6 (>= 8), systemd | systemd-standalone-sysusers',
    'Section: net',
    'Priority: optional',
    `Description: ${description}`,
    '',
  ].join('\n');
}

function put(path: string, source: string, mode = 0o644): void {
  mkdirSync(dirname(`${staging}/${path}`), { recursive: true, mode: 0o755 });
  copyFileSync(source, `${staging}/${path}`);
  chmodSync(`${staging}/${path}`, mode);
}

function write(path: string, text: string): void {
  writeFileSync(`${staging}/${path}`, text);
}
