import { SecretOnce } from '../../ui/secret-once.tsx';
import { CurlCommand } from './curl-command.tsx';

/** A new token and the URL of its endpoint. */
export interface TokenShown {
  readonly url: string;
  readonly token: string;
}

/** Shows a new token once, with a curl command that uses it. */
export function NewToken({ shown, onClose }: { readonly shown: TokenShown; readonly onClose: () => void }) {
  return (
    <SecretOnce title="Signal endpoint token created" secret={{ what: 'token', value: shown.token }} onClose={onClose}>
      <CurlCommand
        title="Send a signal with curl"
        method="POST"
        url={shown.url}
        token={`Bearer ${shown.token}`}
        body={{ type: 'example', data: { status: 'firing' } }}
      />
    </SecretOnce>
  );
}
