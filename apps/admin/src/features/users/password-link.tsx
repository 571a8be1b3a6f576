import type { ReactNode } from 'react';
import { SecretOnce } from '../../ui/secret-once.tsx';

/** A link by which a user sets a password. */
export interface PasswordLink {
  readonly url: string;
  /** Whether the server sends the link to the user. */
  readonly emailSent: boolean;
}

interface Props {
  readonly title: string;
  readonly link: PasswordLink;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows a password link once, and says whether the user gets it by e-mail. */
export function PasswordLinkOnce({ title, link: { url, emailSent }, onClose, children }: Props) {
  const warning = emailSent
    ? 'The user gets this link by e-mail. You need it only if the e-mail does not arrive.'
    : 'Send this link to the user yourself; no e-mail is sent.';
  return (
    <SecretOnce title={title} secret={{ kind: 'link', value: url }} warning={warning} onClose={onClose}>
      {children}
    </SecretOnce>
  );
}
