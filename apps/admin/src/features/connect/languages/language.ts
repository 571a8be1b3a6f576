/** The values that a snippet is filled with. */
export interface SnippetValues {
  /** The address of this installation, without a trailing slash. */
  readonly url: string;
  /** The secret of an API token, or a placeholder. */
  readonly token: string;
  readonly flag: string;
  readonly appName: string;
}

/** A language or protocol, and a complete program in it that evaluates a flag. */
export interface Language {
  readonly id: string;
  readonly label: string;
  readonly kind: 'Server' | 'Browser' | 'Mobile' | 'OpenFeature' | 'Any';
  readonly token: 'backend' | 'frontend';
  /**
   * The published package, and the version that the snippet was written for; null when the program needs no package.
   */
  readonly sdk: { readonly name: string; readonly version: string } | null;
  /** Whether tests/sdk/snippets.test.ts runs the snippet as shown. */
  readonly isRun: boolean;
  /** The command or line that adds the package; null when the program needs no package. */
  readonly install: string | null;
  /** The file to save the program in, and the command that runs it. */
  readonly run?: { readonly file: string; readonly command: string };
  /** The language of the code block in Markdown. */
  readonly syntax: string;
  /** A sentence about the client for the page, such as that it sends no application name. */
  readonly note?: string;
  /** Returns a program that prints or shows whether the flag is on. */
  readonly code: (values: SnippetValues) => string;
}
