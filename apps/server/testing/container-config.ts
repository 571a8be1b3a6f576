import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#config/load.ts';
import type { Config } from '#config/settings.ts';

/**
 * Returns the settings that a server reads from the variables of a container, whose secrets are made up. Throws when
 * the server would refuse them, or does not know a name.
 */
export function containerConfig(variables: Readonly<Record<string, unknown>>): Config {
  const folder = mkdtempSync(join(tmpdir(), 'yardarm-container-'));
  try {
    // Variables of Node are not settings.
    const ofServer = Object.entries(variables).filter(([name]) => !name.startsWith('NODE_'));
    const lines = ofServer.map(([name, value]) => {
      if (!name.endsWith('_FILE')) return `${name}=${value}`;
      const secret = join(folder, name);
      writeFileSync(secret, name === 'DATABASE_URL_FILE' ? 'postgres://yardarm:secret@postgres/yardarm\n' : 'secret\n');
      return `${name}=${secret}`;
    });
    // From a file, any unknown name is refused; from variables, only unknown names that begin with YARDARM_.
    writeFileSync(join(folder, 'settings.env'), lines.join('\n'));
    return loadConfig({ YARDARM_CONFIG: join(folder, 'settings.env') });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
