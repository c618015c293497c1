"""Home Assistant itself without its page: its own core with its MQTT integration, on a broker.

It runs with the Python of an environment into which Home Assistant was installed, so it imports nothing of this project:

    PYTHON uplinking/home_assistant.py PORT

Each state that Home Assistant has is a line of JSON. A line read is the entity of a button to press. Ends with its input.
"""
import asyncio, json, pathlib, sys, tempfile

from homeassistant import bootstrap, core, loader
from homeassistant.const import EVENT_STATE_CHANGED, __version__

CORE = {"name": "Home", "latitude": 0, "longitude": 0, "elevation": 0, "unit_system": "metric", "time_zone": "UTC"}


async def main(port, folder):
    pathlib.Path(folder, "configuration.yaml").touch()
    home = core.HomeAssistant(folder)
    loader.async_setup(home)
    if await bootstrap.async_from_config_dict({"homeassistant": CORE}, home) is None:
        sys.exit("Home Assistant did not start; its reasons stand above")
    home.bus.async_listen(EVENT_STATE_CHANGED, told)
    flow = await home.config_entries.flow.async_init("mqtt", context={"source": "user"})
    flow = await home.config_entries.flow.async_configure(flow["flow_id"], {"broker": "127.0.0.1", "port": port})
    if flow["type"] != "create_entry":
        sys.exit(f"Home Assistant {__version__} does not take the broker: {flow}")
    await home.async_start()
    tell({"version": __version__})
    while line := await asyncio.to_thread(sys.stdin.readline):
        await home.services.async_call("button", "press", {"entity_id": line.strip()}, blocking=True)
    await home.async_stop(force=True)


@core.callback
def told(event):
    if state := event.data["new_state"]:
        tell({"entity": state.entity_id, "state": state.state, "attributes": dict(state.attributes)})


def tell(what):
    sys.stdout.write(json.dumps(what, default=str) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(int(sys.argv[1]), folder))
