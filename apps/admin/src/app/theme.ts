import {
  Alert,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  type MantineColorsTuple,
  Menu,
  Modal,
  MultiSelect,
  Notification,
  NumberInput,
  Select,
  Switch,
  Table,
  Tabs,
} from '@mantine/core';
import { rowHighlight } from '../ui/row-highlight.ts';
import { switchIcon } from '../ui/switch-icon.tsx';

/**
 * The brand color. Its seventh shade is dark enough as a background of white text, and as text on white (WCAG 2.2 AA).
 */
const sea: MantineColorsTuple = [
  '#e9f3fb',
  '#d3e4f2',
  '#a4c7e4',
  '#72a9d6',
  '#4a8fca',
  '#317fc3',
  '#1f6aac',
  '#155892',
  '#0d4a7d',
  '#053b68',
];

/** The title of dialogs and panels. */
const titleOfLayer = {
  fontSize: 'var(--mantine-h4-font-size)',
  fontWeight: 650,
  lineHeight: 'var(--mantine-h4-line-height)',
  overflowWrap: 'anywhere',
} as const;

export const theme = createTheme({
  colors: { sea },
  primaryColor: 'sea',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'var(--yardarm-code)',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // A title in the color of the alert lacks contrast.
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none' } }),
    Drawer: Drawer.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: titleOfLayer },
    }),
    // Without this, the menu contains a placeholder that is not a menu item, which the role `menu` does not allow.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: titleOfLayer },
    }),
    Table: Table.extend({ defaultProps: { highlightOnHoverColor: rowHighlight } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    }),
    // Tabs scroll sideways on small screens.
    Tabs: Tabs.extend({
      styles: { list: { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }, tab: { flexShrink: 0 } },
    }),
    // Enter selects the first match.
    MultiSelect: MultiSelect.extend({ defaultProps: { selectFirstOptionOnChange: true } }),
    Select: Select.extend({ defaultProps: { selectFirstOptionOnChange: true } }),
    Switch: Switch.extend({ defaultProps: { thumbIcon: switchIcon } }),
    // Forms report numbers out of range; they must not be changed on blur.
    NumberInput: NumberInput.extend({ defaultProps: { clampBehavior: 'none' } }),
  },
});

/** A red that is dark enough for white text on it. */
const readableRed = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
};

/** Replaces Mantine colors that lack contrast for small text (WCAG 2.2, 1.4.3). */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...readableRed,
    '--mantine-color-dimmed': '#59616a',
    '--mantine-color-placeholder': '#6b747d',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-red-outline': 'var(--mantine-color-red-9)',
    '--mantine-color-orange-light-color': '#8f340a',
    '--mantine-color-green-light-color': '#1f6b30',
  },
  dark: {
    ...readableRed,
    '--mantine-color-anchor': 'var(--mantine-color-sea-3)',
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-placeholder': '#9aa0a6',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
