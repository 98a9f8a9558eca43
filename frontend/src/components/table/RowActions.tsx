import { useTranslation } from 'react-i18next'
import { MoreIcon } from '../icons/MoreIcon'
import iconButton from '../IconButton.module.css'
import { Menu, MenuItem } from '../menu/Menu'
import type { RowAction } from './column'
import styles from './table.module.css'

type Props = { name: string; actions: RowAction[] }

export function RowActions({ name, actions }: Props) {
  const { t } = useTranslation('table')
  if (actions.length === 0) return null
  return (
    <Menu
      label={t('actions.of', { name })}
      className={`${iconButton.round} ${styles.more}`}
      button={<MoreIcon />}
      alignEnd
    >
      {actions.map(({ id, label, Icon, destructive, onSelect }) => (
        <MenuItem key={id} Icon={Icon} label={label} danger={destructive} onClick={onSelect} />
      ))}
    </Menu>
  )
}
