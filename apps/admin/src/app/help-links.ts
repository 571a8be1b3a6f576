import { type Icon, IconAdjustments, IconApi, IconBook, IconHistory } from '@tabler/icons-react';

interface HelpLink {
  readonly label: string;
  /** Relative to the base URL of the interface. */
  readonly href: string;
  readonly icon: Icon;
  /** The subjects, with the words by which the command palette finds it besides its label. */
  readonly topics: string;
}

/** The links of the help menu and of the command palette. */
export const helpLinks: readonly HelpLink[] = [
  { label: 'Documentation', href: 'docs/', icon: IconBook, topics: 'docs, help, guides, glossary, license' },
  {
    label: 'Server settings',
    href: 'docs/reference/settings.html',
    icon: IconAdjustments,
    topics: 'docs of environment variables: limits, retention, e-mail (SMTP), proxy, database',
  },
  { label: 'API', href: 'docs/openapi', icon: IconApi, topics: 'OpenAPI, docs of the admin API' },
  { label: 'What’s new', href: 'docs/changelog.html', icon: IconHistory, topics: 'changelog, release notes, versions' },
];
