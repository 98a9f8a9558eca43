import { useTranslation } from 'react-i18next'
import { LtrValue } from '@/components/LtrValue'
import { SectionCard } from '@/components/SectionCard'
import { StateBadge } from '@/components/StateBadge'
import { formatNumber } from '@/i18n/format'
import type { FormerMember } from '../api'

/** People whose accounts are deleted or disabled and whom only the leader's client can remove from spaces. */
export function FormerMembers({ members }: { members: FormerMember[] }) {
  const { t } = useTranslation('storage')
  if (members.length === 0) return null
  return (
    <SectionCard title={t('former.title')} remark={t('former.remark')}>
      <p className="t-soft">
        <LtrValue texts="storage" text="former.text" name="command" value="tess revoke --requested" />
      </p>
      <ul className="t-grid">
        {members.map(({ uuid, name, emailAddress, reason, spaces }) => (
          <li key={uuid} className="t-ends">
            <div>
              <bdi>{name || t('former.unnamed')}</bdi>
              <p className="t-soft">
                {emailAddress ? (
                  <>
                    <span dir="ltr">{emailAddress}</span>
                    {' · '}
                  </>
                ) : null}
                {t('former.spaces', { count: spaces, number: formatNumber(spaces) })}
              </p>
            </div>
            <StateBadge tone="warning">{t(`former.reason.${reason}`)}</StateBadge>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
