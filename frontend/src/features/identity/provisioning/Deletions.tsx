import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { QueryResult } from '@/components/QueryResult'
import { formatNumber, formatRelative } from '@/i18n/format'
import { decideDeletion, deletionsQuery, provisioningQuery, type RequestedDeletion } from './api'
import styles from './provisioning.module.css'

type Decision = { kind: 'confirm' | 'decline'; member: RequestedDeletion }

/** Members whom the directory has deleted. They are disabled until the leader decides. */
export function Deletions() {
  const { t } = useTranslation('provisioning')
  const [decision, setDecision] = useState<Decision | null>(null)
  return (
    <div className={styles.section}>
      <h3>{t('deletions.title')}</h3>
      <p className="t-soft">{t('deletions.text')}</p>
      <QueryResult
        query={useQuery(deletionsQuery)}
        loading={t('deletions.loading')}
        heights={[72]}
        failed={t('deletions.failed')}
      >
        {({ members, total }) => (
          <>
            <ul className={styles.list}>
              {members.map((member) => (
                <li key={member.uuid} className={styles.deletion}>
                  <div className={styles.person}>
                    <bdi>{member.name}</bdi>
                    <small className="t-soft">
                      <bdi dir="ltr">{member.emailAddress}</bdi> · {formatRelative(member.requestedAt)}
                    </small>
                  </div>
                  <div className={styles.actions}>
                    <Button
                      variant="outlined"
                      danger
                      aria-label={t('deletions.confirmOf', { name: member.name })}
                      onClick={() => setDecision({ kind: 'confirm', member })}
                    >
                      {t('deletions.confirm')}
                    </Button>
                    <Button
                      variant="text"
                      aria-label={t('deletions.declineOf', { name: member.name })}
                      onClick={() => setDecision({ kind: 'decline', member })}
                    >
                      {t('deletions.decline')}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
            {total > members.length ? (
              <p className="t-soft">{t('deletions.more', { number: formatNumber(total - members.length) })}</p>
            ) : null}
          </>
        )}
      </QueryResult>
      {decision ? <Decide decision={decision} onClose={() => setDecision(null)} /> : null}
    </div>
  )
}

function Decide({ decision: { kind, member }, onClose }: { decision: Decision; onClose: () => void }) {
  const { t } = useTranslation('provisioning')
  return (
    <ConfirmMutation
      destructive={kind === 'confirm'}
      title={t(`deletions.${kind}Title`, { name: member.name })}
      confirmLabel={t(`deletions.${kind}`)}
      mutate={() => withVerification(() => decideDeletion(kind, member.uuid))}
      success={t(`deletions.${kind}Done`)}
      failure={t(`deletions.${kind}Failed`)}
      refresh={[provisioningQuery.queryKey]}
      onClose={onClose}
    >
      {t(`deletions.${kind}Text`)}
    </ConfirmMutation>
  )
}
