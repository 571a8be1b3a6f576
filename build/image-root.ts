// Gathers dist/image/root, the files of the container image: the single executable, the libraries that it links to
// (copied from this machine), and the users of the image.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { root } from './bundle.ts';
import { executable, executableLicenses } from './executable.ts';

const target = `${root}dist/image`;
const image = `${target}/root`;

rmSync(target, { recursive: true, force: true });
put('/usr/bin/yardarm', executable);
for (const library of librariesOf(executable)) put(library, library);
put('/licenses/LICENSE', `${root}LICENSE`);
put('/licenses/NOTICE', `${root}NOTICE`);
put('/licenses/third-party-licenses.txt', executableLicenses);
write('/etc/passwd', 'root:x:0:0:root:/:/sbin/nologin\nyardarm:x:65532:65532:yardarm:/data:/sbin/nologin\n');
write('/etc/group', 'root:x:0:\nyardarm:x:65532:\n');
write('/etc/nsswitch.conf', 'hosts: files dns\n');
// The folder of the volume is not in `root`: the image keeps the owner of a folder that exists already, and a new
// volume gets the owner of this one.
mkdirSync(`${target}/data`);

/** Returns the libraries that the dynamic loader loads for a program, and the loader itself. */
function librariesOf(file: string): string[] {
  const lines = execFileSync('ldd', [file], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

function put(path: string, source: string): void {
  mkdirSync(dirname(image + path), { recursive: true });
  copyFileSync(source, image + path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(image + path), { recursive: true });
  writeFileSync(image + path, text);
}
