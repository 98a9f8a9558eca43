import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { User } from '@/api/session'
import { useActiveCompany, type ActiveCompany } from '@/app/active-company'
import { ExpandIcon } from '@/components/icons/ExpandIcon'
import { Menu, MenuItem } from '@/components/menu/Menu'
import { actionsOf, type FrameAction } from '../frame-actions'
import { screensOf } from '../screens'
import styles from './Toolbar.module.css'

const PLATFORM_COMPANY_ID = 1
/** Screens of the company that the menu does not show. */
const PAGES = new Set<string | undefined>(['apiTokens', 'identity', 'policies', 'leave'])

function badgeOf(user: User, selected: ActiveCompany | null): ActiveCompany | null {
  const own = { id: user.companyId, name: user.companyName }
  const company = user.permissions.includes('companies:manage') ? selected : own
  return company && company.id !== PLATFORM_COMPANY_ID ? company : null
}

type CompanyBadgeProps = { user: User; actions: readonly FrameAction[]; onAction: (action: FrameAction) => void }

export function CompanyBadge({ user, actions, onAction }: CompanyBadgeProps) {
  const { t } = useTranslation('console')
  const company = badgeOf(user, useActiveCompany())
  const navigate = useNavigate()
  const entries = actionsOf(user, actions)
  const pages = screensOf(user).filter(({ screen }) => PAGES.has(screen))
  if (!company) return null

  const name = (
    <bdi className="t-ellipsis" title={company.name}>
      {company.name}
    </bdi>
  )
  if (entries.length === 0) {
    return (
      <span className={`t-tag ${styles.badge}`} role="note" aria-label={t('company.badge', { name: company.name })}>
        {name}
      </span>
    )
  }
  return (
    <Menu
      label={t('company.menu', { name: company.name })}
      menuLabel={t('company.badge', { name: company.name })}
      className={`t-tag ${styles.badge}`}
      button={
        <>
          {name}
          <ExpandIcon />
        </>
      }
    >
      {entries.map((action) => (
        <MenuItem key={action.id} Icon={action.Icon} label={t(action.labelKey)} onClick={() => onAction(action)} />
      ))}
      {pages.map(({ path, screen, Icon }) => (
        <MenuItem key={path} Icon={Icon} label={t(`common:screens.${screen}`)} onClick={() => void navigate(path)} />
      ))}
    </Menu>
  )
}
