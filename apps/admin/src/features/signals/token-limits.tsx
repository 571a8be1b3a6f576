import { NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { Muted } from '../../ui/text.tsx';

type Token = SignalEndpoint['tokens'][number];

/** The values of a form for the limits of a token. Where a value is empty, only the limit of the endpoint applies. */
export interface TokenLimitValues {
  ratePerSecond: number | '';
  burst: number | '';
  maxBodyBytes: number | '';
  /** The time from which on the token is refused, in ISO 8601; undefined for none. */
  enabledUntil: string | undefined;
}

type Form = Pick<UseFormReturnType<TokenLimitValues>, 'getInputProps' | 'setFieldValue' | 'values'>;

/** Returns the values of the form for the limits of a token, or of a new token. */
export function limitValuesOf(token?: Token): TokenLimitValues {
  return {
    ratePerSecond: token?.ratePerSecond ?? '',
    burst: token?.burst ?? '',
    maxBodyBytes: token?.maxBodyBytes ?? '',
    enabledUntil: token?.enabledUntil ?? undefined,
  };
}

/** Returns the limits in the format of requests. */
export function limitsOfValues({ ratePerSecond, burst, maxBodyBytes, enabledUntil }: TokenLimitValues) {
  const limit = (value: number | '') => (value === '' ? null : value);
  return {
    ratePerSecond: limit(ratePerSecond),
    burst: limit(burst),
    maxBodyBytes: limit(maxBodyBytes),
    enabledUntil: enabledUntil ?? null,
  };
}

/** Returns the limits of a token in words: "5 a second, burst 10". Returns undefined when the token has no limits. */
export function limitsInWords({ ratePerSecond, burst, maxBodyBytes, enabledUntil }: Token): string | undefined {
  const words = [
    ratePerSecond === null ? undefined : `${ratePerSecond} a second`,
    burst === null ? undefined : `burst ${burst}`,
    maxBodyBytes === null ? undefined : `${maxBodyBytes} bytes`,
    enabledUntil === null ? undefined : `until ${new Date(enabledUntil).toLocaleString('sv-SE')}`,
  ].filter((part) => part !== undefined);
  return words.length === 0 ? undefined : words.join(', ');
}

interface Props {
  readonly form: Form;
  readonly endpoint: SignalEndpoint;
}

/** Edits the limits of one token. Where a field is empty, only the limit of the endpoint applies. */
export function TokenLimits({ form, endpoint: { limits } }: Props) {
  return (
    <Stack gap="xs" component="fieldset" style={{ border: 0, margin: 0, padding: 0 }}>
      <Text size="sm" fw={500} component="legend">
        Limits of this token
      </Text>
      <Muted>Beside the limits of the endpoint: the stricter one counts.</Muted>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Signals a second"
          placeholder={limits.ratePerSecond === 0 ? 'Unlimited' : String(limits.ratePerSecond)}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('ratePerSecond')}
        />
        <NumberInput
          label="Burst in 10 s"
          placeholder={limits.burst === 0 ? 'None' : String(limits.burst)}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('burst')}
        />
        <NumberInput
          label="Largest body, bytes"
          placeholder={String(limits.maxBodyBytes)}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('maxBodyBytes')}
        />
        <DateTimeInput
          label="Valid until"
          value={form.values.enabledUntil}
          onChange={(until) => form.setFieldValue('enabledUntil', until)}
        />
      </SimpleGrid>
    </Stack>
  );
}
