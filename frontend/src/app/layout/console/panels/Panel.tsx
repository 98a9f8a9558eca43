import CloseOutlined from '@mui/icons-material/CloseOutlined'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSettings } from '@/app/settings'
import styles from './Panel.module.css'

type PanelProps = { title: string; open: boolean; onClose: () => void; children: ReactNode }

/** A drawer on the side where the menu is not. */
export function Panel({ title, open, onClose, children }: PanelProps) {
  const { t } = useTranslation('console')
  const { menuSide } = useSettings()
  const titleId = useId()
  return (
    <Drawer
      open={open}
      onClose={onClose}
      anchor={menuSide === 'start' ? 'right' : 'left'}
      slotProps={{
        paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: 'min(360px, 92vw)' } },
      }}
    >
      <div className={styles.head}>
        <h2 className={styles.title} id={titleId}>
          {title}
        </h2>
        <IconButton onClick={onClose} aria-label={t('panel.close')}>
          <CloseOutlined />
        </IconButton>
      </div>
      <div className={styles.body}>{children}</div>
    </Drawer>
  )
}
