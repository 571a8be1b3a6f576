import type { Config } from '#config/settings.ts';
import { sealedActions, sealedCallKeys, sealedCalls, sealedRuns } from '#features/automation/actions/index.ts';
import { sealedIntegrations, sealedSigningKeys } from '#features/integrations/integrations/index.ts';
import { sealedTokens } from '#features/people/api-tokens/index.ts';
import { sealedOidc } from '#features/people/auth-settings/index.ts';
import { sealedHashKeys, sealedSigningSecrets } from '#features/signals/signals/index.ts';
import { systemClock } from '#kernel/clock.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { forgetUnreadable, SecretsUnreadable, sealStored } from '#storage/sealed-rows.ts';

/** All columns that are encrypted with UNLEASH_SECRET. */
export const sealed = [
  sealedIntegrations,
  sealedSigningKeys,
  sealedActions,
  sealedCalls,
  sealedCallKeys,
  sealedRuns,
  sealedTokens,
  sealedSigningSecrets,
  sealedHashKeys,
  sealedOidc,
];

/** The warning that is logged when UNLEASH_SECRET is not set. */
export const unsealedWarning =
  'UNLEASH_SECRET is not set: the database and its backups contain the secrets of integrations, action calls, signed and hashed signals and single sign-on unencrypted. Set UNLEASH_SECRET to a long random text to encrypt them.';

/**
 * Encrypts all stored secrets that are not encrypted with UNLEASH_SECRET yet. Rejects with a {@link SecretsUnreadable}
 * that names the secrets that were encrypted with an unknown password.
 */
export async function sealSecrets(database: Database, config: Config): Promise<void> {
  await sealStored(database, sealed).catch((error: unknown) => {
    if (!(error instanceof SecretsUnreadable)) throw error;
    const why =
      config.secret === undefined
        ? 'Secrets in the database are encrypted, and UNLEASH_SECRET is not set.'
        : 'Secrets in the database are encrypted with another UNLEASH_SECRET.';
    throw new SecretsUnreadable(
      `${why} ${error.message} Start with the UNLEASH_SECRET with which they were encrypted, or set it as UNLEASH_SECRET_PREVIOUS. If it is lost, "yardarm forget-secrets" removes them.`,
    );
  });
}

/**
 * Removes the stored secrets that cannot be decrypted with these settings, so that the service starts. Returns the
 * names of their owners. With SQLite no server may run. `onError` receives background errors of the database.
 */
export async function forgetSecrets(config: Config, onError: (error: unknown) => void): Promise<readonly string[]> {
  const holder = `process ${process.pid}, running forget-secrets`;
  const database = await openDatabase(config, systemClock, holder, onError);
  try {
    return await forgetUnreadable(database, sealed);
  } finally {
    await database.close();
  }
}
