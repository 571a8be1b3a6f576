import { Select } from '@mantine/core';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly input: object;
}

/** Asks whether a new token belongs to the sender of another token. Renders nothing when there is no choice. */
export function SenderField({ endpoint: { oneSender, tokens }, input }: Props) {
  if (oneSender || tokens.length === 0) return null;
  return (
    <Select
      label="Sender"
      description="Alerts of two senders are told apart. A token that replaces another one belongs to the same sender."
      allowDeselect={false}
      data={[
        { value: '', label: 'Another sender, with the name of this token' },
        ...tokens.map(({ id, name }) => ({ value: `${id}`, label: `The sender of ${name}` })),
      ]}
      {...input}
    />
  );
}

/** Returns the sender of the token with an id, as a field of a request; no field for a sender of its own. */
export function senderOfToken({ tokens }: SignalEndpoint, tokenId: string): { readonly sender?: string | null } {
  const token = tokens.find(({ id }) => `${id}` === tokenId);
  return token === undefined ? {} : { sender: token.sender };
}
