import {
  Alert,
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
import { rowGround } from '../ui/row-ground.ts';
import { switchIcon } from '../ui/switch-icon.tsx';

/** The sea at dusk: dark enough that white on its seventh shade, and it on white, can be read by everybody (WCAG 2.2 AA). */
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

/** What a dialog or a panel is about is read first. */
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
    // In its own colour a title cannot be read on every ground.
    Alert: Alert.extend({ styles: { label: { color: 'var(--mantine-color-text)' } } }),
    Drawer: Drawer.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: titleOfLayer },
    }),
    // It would be a child of the menu that is no item of it.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: titleOfLayer },
    }),
    Table: Table.extend({ defaultProps: { highlightOnHoverColor: rowGround } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    }),
    // On small screens they are moved sideways instead of standing in several rows.
    Tabs: Tabs.extend({
      styles: { list: { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }, tab: { flexShrink: 0 } },
    }),
    // Enter chooses what the typed text has found.
    MultiSelect: MultiSelect.extend({ defaultProps: { selectFirstOptionOnChange: true } }),
    Select: Select.extend({ defaultProps: { selectFirstOptionOnChange: true } }),
    Switch: Switch.extend({ defaultProps: { thumbIcon: switchIcon } }),
    // What cannot be is said, not made into something else when the field is left.
    NumberInput: NumberInput.extend({ defaultProps: { clampBehavior: 'none' } }),
  },
});

/** White stands on it. */
const readableRed = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
};

/** Mantine's own are too faint for small text (WCAG 2.2, 1.4.3). */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...readableRed,
    '--mantine-color-dimmed': '#59616a',
    '--mantine-color-placeholder': '#6b747d',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-red-outline': 'var(--mantine-color-red-9)',
    '--mantine-color-orange-light-color': '#8f340a',
  },
  dark: {
    ...readableRed,
    '--mantine-color-anchor': 'var(--mantine-color-sea-3)',
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-placeholder': '#9aa0a6',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
