import { root } from './bundle.ts';

const systems: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows', darwin: 'macos' };
const extension = process.platform === 'win32' ? '.exe' : '';

/** The path of the single executable for the platform that this runs on, which `npm run build:binary` writes. */
export const executable = `${root}dist/yardarm-${systems[process.platform] ?? process.platform}-${process.arch}${extension}`;

/** The path of the licences of all that the executable contains. Who passes it on passes this file on. */
export const executableLicenses = `${executable}.licenses.txt`;
