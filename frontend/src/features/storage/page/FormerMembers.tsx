import { useTranslation } from 'react-i18next'
import { LtrValue } from '@/components/LtrValue'
import { SectionCard } from '@/components/SectionCard'
import { formatNumber } from '@/i18n/format'
import type { FormerMember } from '../api'
import styles from './storage.module.css'

/** People whose accounts are deleted or disabled and whom only the leader's client can remove from spaces. */
export function FormerMembers({ members }: { members: FormerMember[] }) {
  const { t } = useTranslation('storage')
  if (members.length === 0) return null
  return (
    <SectionCard title={t('former.title')} remark={t('former.remark')}>
      <p className={styles.soft}>
        <LtrValue texts="storage" text="former.text" name="command" value="tess revoke --requested" />
      </p>
      <ul className={styles.members}>
        {members.map(({ uuid, name, emailAddress, reason, spaces }) => (
          <li key={uuid}>
            <span className={styles.device}>
              <bdi>{name || t('former.unnamed')}</bdi>
              <span className={styles.soft}>
                {emailAddress ? (
                  <>
                    <span dir="ltr">{emailAddress}</span>
                    {' · '}
                  </>
                ) : null}
                {t('former.spaces', { count: spaces, number: formatNumber(spaces) })}
              </span>
            </span>
            <span className={styles.chip} data-state="damaged">
              {t(`former.reason.${reason}`)}
            </span>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}
