import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { DialogActions, DialogContent } from '@/components/dialog/Dialog'
import type { InviteResult } from '../api'
import styles from './dialog.module.css'
import { MailProgress } from './MailProgress'

type Props = { results: InviteResult[]; onClose: () => void }

/** What was refused comes first: that is what somebody has to look at. */
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
          {t('results.done')}
        </Button>
      </DialogActions>
    </>
  )
}
