import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { DialogActions, DialogContent } from '@/components/dialog/Dialog'
import { ProgressBar } from '@/components/ProgressBar'
import { formatNumber } from '@/i18n/format'
import { inviteProgress, type InviteResult } from '../api'
import styles from './dialog.module.css'

type Props = { results: InviteResult[]; onClose: () => void }

/** Refused addresses come first, as they need attention. */
export function InviteResults({ results, onClose }: Props) {
  const { t } = useTranslation('invites')
  const invited = results.filter(({ state }) => state === 'invited')
  const refused = results.filter(({ state }) => state !== 'invited')
  return (
    <>
      <DialogContent>
        {invited.length > 0 ? (
          <>
            <p className={styles.lead}>{t('results.invited', { count: invited.length })}</p>
            <MailProgress />
          </>
        ) : (
          <p className={styles.lead}>{t('results.nobody')}</p>
        )}
        {refused.length > 0 ? (
          <h3 className={styles.heading}>{t('results.refused', { count: refused.length })}</h3>
        ) : null}
        <ul className={styles.results} tabIndex={0} aria-label={t('results.list')}>
          {[...refused, ...invited].map(({ email_address, state }, index) => (
            <li key={index} className={styles.result} data-state={state}>
              <bdi dir="ltr">{email_address}</bdi>
              <span>{t(`results.state.${state}`)}</span>
            </li>
          ))}
        </ul>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {t('common:actions.done')}
        </Button>
      </DialogActions>
    </>
  )
}

/** Mails are sent in the background, even if the dialog is closed. */
function MailProgress() {
  const { t } = useTranslation('invites')
  const { data } = useQuery(inviteProgress)
  const { total = 0, sent = 0, failed = 0 } = data ?? {}
  const done = total === 0 ? 0 : Math.round(((sent + failed) / total) * 100)
  const numbers = { sent: formatNumber(sent), total: formatNumber(total) }
  return (
    <div className={styles.progress}>
      <ProgressBar label={t('results.mails')} value={data ? done : undefined} />
      <p>
        {data ? t('results.progress', numbers) : t('results.mails')}
        {failed > 0 ? ` ${t('results.failed', { count: failed })}` : ''}
      </p>
    </div>
  )
}
