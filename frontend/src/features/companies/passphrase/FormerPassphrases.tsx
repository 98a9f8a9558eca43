import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { Line, Row, Status } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { formatDateTime } from '@/i18n/format'
import { formerPassphrases, type FormerPassphrase } from '../api'
import own from './passphrase.module.css'
import type { PassphraseFlow } from './use-passphrase'

type Props = { passphrase: PassphraseFlow }

/** The passphrases that were replaced. Those whose keys lead to the current one can be revealed. */
export function FormerPassphrases({ passphrase }: Props) {
  const { t } = useTranslation('company')
  const former = useQuery(formerPassphrases)
  return (
    <section className={own.former} aria-labelledby="former-passphrases">
      <h3 id="former-passphrases">{t('passphrase.former.title')}</h3>
      {former.isPending ? <Skeleton label={t('passphrase.former.loading')} heights={[44]} /> : null}
      {former.isError ? (
        <Row role="alert">
          <Line>{loadErrorMessage(former.error)}</Line>
          <Button variant="outlined" pending={former.isFetching} onClick={() => void former.refetch()}>
            {t('actions.retry', { ns: 'common' })}
          </Button>
        </Row>
      ) : null}
      {former.isSuccess ? <Status>{t(`passphrase.former.${former.data.length > 0 ? 'text' : 'empty'}`)}</Status> : null}
      {former.isSuccess && former.data.length > 0 ? (
        <ul className={own.list}>
          {former.data.map((row) => (
            <FormerRow key={row.epoch} row={row} passphrase={passphrase} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

function FormerRow({ row, passphrase: { ask } }: Props & { row: FormerPassphrase }) {
  const { t } = useTranslation('company')
  const version = t('passphrase.former.version', { epoch: row.epoch })
  const date = formatDateTime(row.replacedAt)
  return (
    <li className={own.item} aria-label={version}>
      <div>
        <Line>{version}</Line>
        <Status>
          {row.replacedBy
            ? t('passphrase.former.replacedBy', { date, name: row.replacedBy })
            : t('passphrase.former.replaced', { date })}
        </Status>
        {row.canOpen ? null : <Status>{t('passphrase.former.locked')}</Status>}
      </div>
      {row.canOpen ? (
        <Button
          variant="outlined"
          disabled={ask.isPending}
          aria-label={t('passphrase.former.reveal', { epoch: row.epoch })}
          onClick={() => void ask.mutate({ former: row.epoch })}
        >
          {t('passphrase.reveal')}
        </Button>
      ) : null}
    </li>
  )
}
