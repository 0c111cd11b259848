import cypher
from tests.integration.graph import Graph


async def test_probe(services, graph: Graph, user):
    for n in range(3):
        pass
    query = cypher.load("enrichment/finish_memories")
    params = await graph.samples(query)
    async with graph._driver.session(database=graph._database) as session:
        result = await session.run(f"EXPLAIN {query.text}", params)
        summary = await result.consume()

    def walk(p, d=0):
        a = p.get("args", {})
        print("  " * d + p["operatorType"].split("@")[0], str(a.get("Details"))[:130])
        for c in p.get("children", []):
            walk(c, d + (1 if len(p["children"]) > 1 else 0))

    walk(summary.plan)
