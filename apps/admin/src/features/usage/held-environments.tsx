import { Stack, Text } from '@mantine/core';
import { HoldAlert, useFlag } from '../flags/index.ts';

/**
 * Explains the counts of a held flag: SDKs get the held state, so they count it. Renders nothing where no hold is in
 * force.
 */
export function HeldEnvironments({ environment }: { readonly environment: string | undefined }) {
  const flag = useFlag();
  const held =
    flag?.environments.flatMap(({ name, enabled, lease }) =>
      lease === null || (environment !== undefined && name !== environment) ? [] : [{ name, enabled, lease }],
    ) ?? [];
  if (flag === undefined || held.length === 0) return null;
  return (
    <Stack gap="sm">
      {held.map(({ name, enabled, lease }) => (
        <section key={name} aria-label={`Held in ${name}`}>
          <HoldAlert flag={flag} hold={lease} configuredOn={enabled} environment={name}>
            <Text size="sm">Evaluations since then count the held state.</Text>
          </HoldAlert>
        </section>
      ))}
    </Stack>
  );
}
