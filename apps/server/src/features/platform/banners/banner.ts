import { isoTime } from '#kernel/clock.ts';

/** A banner that all users see in the admin UI. */
export interface Banner {
  readonly id: number;
  readonly message: string;
  readonly enabled: boolean;
  readonly variant: 'info' | 'success' | 'warning' | 'error';
  readonly sticky: boolean;
  readonly icon: string | null;
  /** The target of the link: a URL, a path of this service, or `dialog`. */
  readonly link: string | null;
  readonly linkText: string | null;
  readonly dialogTitle: string | null;
  readonly dialog: string | null;
  readonly createdAt: number;
}

/** The default fields of a banner. */
export const bannerDefaults = {
  enabled: true,
  variant: 'info',
  sticky: false,
  icon: null,
  link: null,
  linkText: null,
  dialogTitle: null,
  dialog: null,
} as const;

/** Returns a banner as answers and events show it. */
export function presentBanner(banner: Banner) {
  return { ...banner, createdAt: isoTime(banner.createdAt) };
}
