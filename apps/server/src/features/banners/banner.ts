import { isoTime } from '../../kernel/clock.ts';

/** Something that everybody sees in the user interface. */
export interface Banner {
  readonly id: number;
  readonly message: string;
  readonly enabled: boolean;
  readonly variant: 'info' | 'success' | 'warning' | 'error';
  readonly sticky: boolean;
  readonly icon: string | null;
  /** Where it leads: a URL, a path here, or `dialog`. */
  readonly link: string | null;
  readonly linkText: string | null;
  readonly dialogTitle: string | null;
  readonly dialog: string | null;
  readonly createdAt: number;
}

/** What a banner is where nothing is said. */
export const plainBanner = {
  enabled: true,
  variant: 'info',
  sticky: false,
  icon: null,
  link: null,
  linkText: null,
  dialogTitle: null,
  dialog: null,
} as const;

/** A banner as answers and events have it. */
export function presentBanner(banner: Banner) {
  return { ...banner, createdAt: isoTime(banner.createdAt) };
}
