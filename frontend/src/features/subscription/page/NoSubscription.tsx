import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import type { Payment } from '../api'
import { dialogStore } from '../dialog-store'
import { CardList } from './CardList'
import styles from './page.module.css'

/** The company has never subscribed. Cards can be there already. */
export function NoSubscription({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const none = payment.cards.length === 0
  return (
    <div className={styles.card}>
      <EmptyState
        title={t('empty.title')}
        text={none ? t('empty.addCard') : t('empty.start')}
        actions={
          <>
            <Button variant={none ? 'primary' : 'outlined'} onClick={() => dialogStore.show('addCard')}>
              {t('buttons.addCard')}
            </Button>
            {none ? null : <Button onClick={() => dialogStore.show('reactivate')}>{t('buttons.start')}</Button>}
          </>
        }
      />
      {none ? <p className={styles.none}>{t('cards.none')}</p> : <CardList payment={payment} />}
    </div>
  )
}
