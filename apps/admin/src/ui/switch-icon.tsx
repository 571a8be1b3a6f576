import { IconCheck, IconX } from '@tabler/icons-react';
import styles from './switch-icon.module.css';

/**
 * The icon in a disabled switch, so that color is not the only sign of its state. The style sheet shows one of the two.
 */
export const switchIcon = (
  <>
    <IconCheck size="80%" stroke={3} className={styles.on} aria-hidden />
    <IconX size="80%" stroke={3} className={styles.off} aria-hidden />
  </>
);
