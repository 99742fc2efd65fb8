import { groups } from '../../../apps/web/groups.ts';
import { taskOf } from '../../../apps/web/situation.ts';

export default Object.entries(groups).flatMap(([group, situations]) => situations.map((each) => taskOf(group, each)));
