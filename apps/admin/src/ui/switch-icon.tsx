import { IconCheck, IconX } from '@tabler/icons-react';
import styles from './switch-icon.module.css';

/** The icon in a disabled switch: it tells on from off apart from the colour. Style sheets choose which of the two is shown. */
export const switchIcon = (
  <>
    <IconCheck size="80%" stroke={3} className={styles.on} aria-hidden />
    <IconX size="80%" stroke={3} className={styles.off} aria-hidden />
  </>
);
