"""The uplink against real brokers: Debian's mosquitto and nats-server, our receiver, and stand-ins for two well-known ones."""
