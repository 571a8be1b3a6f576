import { expect, it } from 'vitest';
import { loadOptional } from './optional-package.ts';

it('a package that is not installed is named with the command that installs it', async () => {
  const name: string = 'no-such-broker-client';
  await expect(loadOptional(name, () => import(name))).rejects.toThrow(`npm install ${name}`);
});
