import { android } from './android.ts';
import { browser } from './browser.ts';
import { curl } from './curl.ts';
import { dotnet } from './dotnet.ts';
import { flutter } from './flutter.ts';
import { go } from './go.ts';
import { ios } from './ios.ts';
import { java } from './java.ts';
import type { Language } from './language.ts';
import { node } from './node.ts';
import { ofrepServer } from './ofrep-server.ts';
import { ofrepWeb } from './ofrep-web.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { react } from './react.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

export type { Language } from './language.ts';

/** Every language that has a snippet, in the order in which pages list them. */
export const languages: readonly Language[] = [
  node,
  react,
  browser,
  python,
  go,
  java,
  dotnet,
  ruby,
  php,
  rust,
  android,
  ios,
  flutter,
  ofrepWeb,
  ofrepServer,
  curl,
];
