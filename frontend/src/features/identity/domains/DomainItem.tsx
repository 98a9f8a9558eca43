import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { CopyButton } from '@/components/CopyButton'
import { LtrValue } from '@/components/LtrValue'
import { StateBadge } from '@/components/StateBadge'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { formatDate } from '@/i18n/format'
import styles from '../identity.module.css'
import { ssoQuery } from '../sso/api'
import { checkDomain, domainsQuery, type Domain } from './api'

type Props = { domain: Domain; onRemove: () => void }

const TONES = { proved: 'success', missing: 'warning', lost: 'danger', waiting: 'warning' } as const

/** And since when. */
function stateOf({ provedAt, missingSince, lostAt }: Domain): [keyof typeof TONES, string | null] {
  if (lostAt) return ['lost', lostAt]
  if (provedAt && missingSince) return ['missing', missingSince]
  return [provedAt ? 'proved' : 'waiting', provedAt]
}

export function DomainItem({ domain: item, onRemove }: Props) {
  const { domain, recordName, recordValue } = item
  const { t } = useTranslation('identity')
  const [state, since] = stateOf(item)
  const date = since && formatDate(since, 'long')
  const check = useToastMutation(() => withVerification(() => checkDomain(domain)), {
    success: t('domains.checked'),
    failure: t('domains.checkFailed'),
    refresh: [domainsQuery.queryKey, ssoQuery.queryKey],
  })
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <h3>
          <bdi dir="ltr">{domain}</bdi>
        </h3>
        <StateBadge tone={TONES[state]}>{t(`domains.${state}`)}</StateBadge>
      </div>
      {state === 'proved' ? (
        <p className="t-soft">{t('domains.since', { date })}</p>
      ) : (
        <>
          {state === 'missing' && <p>{t('domains.missingText', { date })}</p>}
          {state === 'lost' && <p>{t('domains.lostText', { date })}</p>}
          <p className="t-soft">
            <LtrValue texts="identity" text="domains.record" name="domain" value={domain} />
          </p>
          <dl className={styles.records}>
            <Line name={t('domains.recordName')} value={recordName} copy={t('domains.copyName')} />
            <Line name={t('domains.recordValue')} value={recordValue} copy={t('domains.copyValue')} />
          </dl>
        </>
      )}
      <div className={styles.actions}>
        {state === 'proved' ? null : (
          <Button
            variant="outlined"
            aria-label={t('domains.checkOf', { domain })}
            pending={check.isPending}
            onClick={() => void check.mutate()}
          >
            {t('domains.check')}
          </Button>
        )}
        <Button variant="outlined" danger aria-label={t('domains.removeOf', { domain })} onClick={onRemove}>
          {t('domains.remove')}
        </Button>
      </div>
    </li>
  )
}

function Line({ name, value, copy }: { name: string; value: string; copy: string }) {
  return (
    <div className={styles.record}>
      <dt>{name}</dt>
      <dd>
        <code dir="ltr">{value}</code>
      </dd>
      <dd>
        <CopyButton text={value} label={copy} />
      </dd>
    </div>
  )
}
