import { IconCheck, IconX } from '@tabler/icons-react';
import styles from './switch-icon.module.css';

/**
 * The icon in a switch, so that the color is not the only sign of its state. The style sheet shows one of the two
 * icons, and only while the switch is disabled.
 */
export const switchIcon = (
  <>
    <IconCheck size="80%" stroke={3} className={styles.on} aria-hidden />
    <IconX size="80%" stroke={3} className={styles.off} aria-hidden />
  </>
);
