import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { Line, Row, Status } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { Term } from '@/components/Term'
import own from '../passphrase/passphrase.module.css'
import { keyHolderQuery, keyState } from './api'

/** Who else can open the passphrase, in a line. */
export function KeyHolderSection({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('company')
  const { data, isPending, isError, error, isFetching, refetch } = useQuery(keyHolderQuery)
  const name = data ? `${data.firstName} ${data.lastName}` : ''
  return (
    <section className={own.former} aria-labelledby="key-holder">
      <div className="t-line">
        <h3 id="key-holder">{t('keyHolder.titles.status')}</h3>
        <Term name="keyHolder" />
      </div>
      {isPending ? <Skeleton label={t('keyHolder.loading')} heights={[44]} /> : null}
      {isError ? (
        <Row role="alert">
          <Line>{loadErrorMessage(error)}</Line>
          <Button variant="outlined" pending={isFetching} onClick={() => void refetch()}>
            {t('actions.retry', { ns: 'common' })}
          </Button>
        </Row>
      ) : null}
      {data === undefined ? null : (
        <div className={own.item}>
          <Status>{t(`keyHolder.line.${keyState(data)}`, { name })}</Status>
          <Button variant="outlined" onClick={onOpen} aria-label={t(data ? 'keyHolder.manageOf' : 'keyHolder.name')}>
            {t(data ? 'keyHolder.manage' : 'keyHolder.nameShort')}
          </Button>
        </div>
      )}
    </section>
  )
}
