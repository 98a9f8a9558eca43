import type { ComponentType, SVGProps } from 'react'
import styles from './icon.module.css'

export type Icon = ComponentType<Pick<SVGProps<SVGSVGElement>, 'className'>>

/** An icon from the path of one of Google's Material Icons (Apache License 2.0). Those with a direction are mirrored in
 *  right-to-left languages, and so is the question mark. */
export function createIcon(path: string, mirrored = false): Icon {
  return function Icon({ className = '' }) {
    return (
      <svg
        className={`${styles.icon} ${mirrored ? styles.mirrored : ''} ${className}`}
        viewBox="0 0 24 24"
        aria-hidden
        focusable="false"
      >
        <path d={path} />
      </svg>
    )
  }
}
