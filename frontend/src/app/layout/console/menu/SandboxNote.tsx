import ScienceOutlined from '@mui/icons-material/ScienceOutlined'
import Tooltip from '@mui/material/Tooltip'
import { useTranslation } from 'react-i18next'
import styles from './SideMenu.module.css'

/** Tells where the codes of the sandbox arrive. The outbox is a page of the server. */
export function SandboxNote({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation('console')
  return (
    <Tooltip title={narrow ? t('menu.sandbox') : ''} placement="right" disableHoverListener>
      <a className={`${styles.item} ${styles.note}`} href="/sandbox/outbox" target="_blank" rel="noopener">
        <ScienceOutlined aria-hidden />
        <span className={styles.label}>{t('menu.sandbox')}</span>
      </a>
    </Tooltip>
  )
}
