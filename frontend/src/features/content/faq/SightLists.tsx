import { useTranslation } from 'react-i18next'
import styles from './faq.module.css'
import { Marked } from './Marked'
import { listOf } from './texts'

const sides = ['cannot', 'can', 'provider'] as const

export function SightLists() {
  const { t } = useTranslation('faq')
  return (
    <div className={styles.sides}>
      {sides.map((side) => (
        <div key={side}>
          <h3 className={styles.subheading}>{t(`sight.${side}.title`)}</h3>
          <ul>
            {listOf(t(`sight.${side}.list`, { returnObjects: true })).map((entry) => (
              <li key={entry}>
                <Marked text={entry} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
