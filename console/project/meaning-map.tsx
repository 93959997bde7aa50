import { useState } from 'preact/hooks';
import { type Answer, call } from '../shared/api.js';
import { useLoad } from '../shared/load.js';
import { Failure, Type } from '../shared/parts.js';
import { goTo } from '../shared/place.js';
import { figure } from '../shared/text.js';

type Point = Answer<'GET /api/knowledge/x/map'>['points'][number];

/** The chunks as dots: near ones mean similar things. A dot opens its chunk. */
export function MeaningMap({ project }: { readonly project: string }) {
  const { data, error } = useLoad({
    key: project,
    load: (signal) => call('GET /api/knowledge/x/map', { projectPath: project }, signal),
  });
  const [near, setNear] = useState<Point>();
  if (data === undefined) return <Failure error={error} />;
  const { points, total } = data;
  const nearest = (event: MouseEvent) => nearestTo(points, event);
  return (
    <section class="panel" aria-labelledby="map-title">
      <h2 id="map-title">By meaning</h2>
      {points.length === 0 ? (
        <p class="muted">There are no vectors yet.</p>
      ) : (
        <>
          {/* The table of chunks below has the same chunks for the keyboard. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
          <svg
            class="map"
            viewBox="-105 -70 210 140"
            role="img"
            aria-label={`${points.length} chunks by meaning`}
            onMouseMove={(event) => setNear(nearest(event))}
            onMouseLeave={() => setNear(undefined)}
            onClick={(event) => {
              const id = nearest(event)?.id;
              if (id !== undefined) goTo({ page: 'chunk', fields: { project, id } });
            }}
          >
            {points.map(({ id, sourceType, x, y }) => (
              <circle key={id} data-type={sourceType} cx={x * 100} cy={y * 65} r="1.1" />
            ))}
            {near && <circle class="near" cx={near.x * 100} cy={near.y * 65} r="2.4" />}
          </svg>
          <p class="caption">
            {near ? (
              <>
                <Type type={near.sourceType} /> <bdi class="clamped">{near.heading ?? near.id}</bdi>
              </>
            ) : (
              <span class="muted">
                {figure(points.length)} of {figure(total)} chunks, in the plane in which their
                meanings differ most. Click a dot to open its chunk.
              </span>
            )}
          </p>
        </>
      )}
    </section>
  );
}

/** In the coordinates of the picture. */
function nearestTo(points: readonly Point[], event: MouseEvent): Point | undefined {
  const svg = event.currentTarget as SVGSVGElement;
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(
    svg.getScreenCTM()?.inverse(),
  );
  let best: Point | undefined;
  let least = REACH;
  for (const point of points) {
    const distance = Math.hypot(point.x * 100 - place.x, point.y * 65 - place.y);
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

/** How far from a dot a click still means it. */
const REACH = 5;
